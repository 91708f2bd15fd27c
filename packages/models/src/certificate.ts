/**
 * What is wrong with a server's certificate, and what to do; undefined for an error that is not about
 * one.
 */
export function certificateFault(error: unknown): { reason: string; hint: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  const { code, message } = error
  if (typeof code !== "string") return undefined
  if (unknownAuthority.has(code)) return { reason: message, hint: unknownAuthorityHint }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || otherFaults.has(code)) {
    return { reason: message, hint: "Its owner has to replace it, or the address is wrong." }
  }
  return undefined
}

const unknownAuthorityHint =
  "If its authority is your own, name a file with the authority's certificate (PEM): NODE_EXTRA_CA_CERTS=<file>."

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
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
])
