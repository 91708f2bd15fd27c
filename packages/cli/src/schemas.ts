/**
 * A process that parses most of its schemas a few times: to compile them costs more than it saves.
 * Each schema looks at this when it is made, so that it has to be said before zod is loaded; zod
 * takes up the configuration that it finds. Hence the global, and no import of zod.
 */
export function parseWithoutCompiling(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
