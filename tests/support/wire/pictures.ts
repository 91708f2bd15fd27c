import type { ImagePart, Message } from "../../../packages/protocol/src/index.ts"

/** A PNG of two pixels. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8AARAwQEgAd8AP9bCtkAAAAAABJRU5ErkJggg=="

const picture: ImagePart = {
  type: "image",
  evidence: "5".repeat(64),
  media_type: "image/png",
  width: 2,
  height: 1,
  bytes: Buffer.from(png, "base64").length,
}

/**
 * A conversation in which the user shows a picture and a result shows one too, what a request needs
 * to get to their bytes, and those bytes as every wire has them: in base64.
 */
export const pictures = {
  base64: png,
  note: "[an image (image/png, 2x1) that this model cannot see]",
  image: async () => Buffer.from(png, "base64"),
  messages: [
    { role: "user", content: [{ type: "text", text: "Go." }, picture] },
    {
      role: "assistant",
      content: [{ type: "call", id: "c1", tool: "bash", arguments: '{"command":"a"}' }],
    },
    {
      role: "tool",
      content: [
        { type: "result", call_id: "c1", tool: "bash", status: "ok", text: "A", images: [picture] },
      ],
    },
  ] satisfies Message[],
}
