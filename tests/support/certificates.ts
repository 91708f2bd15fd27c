import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** A certificate and its key, as PEM. */
type Certificate = { certificate: string; key: string }

/**
 * Makes an authority that nobody knows and a server's certificate by it, for these names. Both hold for a
 * day from yesterday on.
 *
 * @example
 * const { authority, server } = privateAuthority(["models.example"])
 */
export function privateAuthority(names: readonly string[]): {
  authority: string
  server: Certificate
} {
  const issuer = "An authority for tests"
  const ca = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const leaf = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const dnsNames = names.map(name => tagged(0x82, Buffer.from(name)))

  const authority = certificateOf({
    subject: issuer,
    issuer,
    publicKey: ca.publicKey,
    signWith: ca.privateKey,
    // An authority, and nothing below it but servers.
    extension: extension(oid.basicConstraints, sequence(boolean(true)), { critical: true }),
  })
  const certificate = certificateOf({
    subject: names[0] ?? "",
    issuer,
    publicKey: leaf.publicKey,
    signWith: ca.privateKey,
    extension: extension(oid.subjectAltName, sequence(...dnsNames)),
  })
  const key = leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  return { authority, server: { certificate, key } }
}

function certificateOf(parts: {
  subject: string
  issuer: string
  publicKey: KeyObject
  signWith: KeyObject
  extension: Buffer
}): string {
  const { subject, issuer, publicKey, signWith } = parts
  const dayMs = 86_400_000
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(issuer),
    sequence(time(Date.now() - dayMs), time(Date.now() + dayMs)),
    named(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(parts.extension)),
  )
  const signature = sign("sha256", content, signWith)
  const whole = sequence(content, algorithm, tagged(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? []
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")
}

/** Object identifiers, as DER has them. */
const oid = {
  commonName: Buffer.from("550403", "hex"),
  basicConstraints: Buffer.from("551d13", "hex"),
  subjectAltName: Buffer.from("551d11", "hex"),
  ecdsaWithSha256: Buffer.from("2a8648ce3d040302", "hex"),
}

/** DER: a tag, a length and the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.of(value ? 0xff : 0))
}

const algorithm = sequence(tagged(0x06, oid.ecdsaWithSha256))

function named(commonName: string): Buffer {
  const value = sequence(tagged(0x06, oid.commonName), tagged(0x0c, Buffer.from(commonName)))
  return sequence(tagged(0x31, value))
}

function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}

function extension(id: Buffer, value: Buffer, { critical = false } = {}): Buffer {
  const mark = critical ? [boolean(true)] : []
  return sequence(tagged(0x06, id), ...mark, tagged(0x04, value))
}
