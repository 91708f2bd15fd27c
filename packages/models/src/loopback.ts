/** True for a name that is an address of this machine without a look-up. */
export function isLoopback({ hostname }: URL): boolean {
  return names.test(hostname) || addresses.test(hostname)
}

const names = /^(?:.+\.)?localhost\.?$/
const addresses = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/
