/**
 * What is wrong with a server's certificate, and what to do; undefined for an error that is not about
 * one.
 */
export function certificateFault(error: unknown): { reason: string; hint: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  const { code, message } = error
  if (typeof code !== "string") return undefined
  // Node adds a flag of its own to try.
  const [reason = message] = message.split("; if the root CA")
  if (unknownAuthority.has(code)) return { reason, hint: unknownAuthorityHint }
  return otherFaults.has(code) ? { reason, hint: otherHint } : undefined
}

const unknownAuthorityHint =
  "If its authority is your own, name a file with the authority's certificate (PEM): NODE_EXTRA_CA_CERTS=<file>; where the system knows it: NODE_USE_SYSTEM_CA=1."
const otherHint = "The server needs another certificate, or the address is wrong."

/** Codes of OpenSSL, as Node passes them on: nobody whom this machine trusts has signed it. */
const unknownAuthority = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
])

const otherFaults = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
])
