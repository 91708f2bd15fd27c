/**
 * The servers whose models are kept: by the name of their data file, the file of the source. Left out
 * are those that sell plans instead of tokens, and those that only resell under names of their own.
 */
export const servers = [
  "anthropic",
  "baseten",
  "cerebras",
  "deepseek",
  "fireworks",
  "google",
  "groq",
  "huggingface",
  "meta",
  "minimax",
  "mistral",
  "moonshotai",
  "nvidia",
  "openai",
  "openrouter",
  "together",
  "vercel-ai-gateway",
  "xai",
  "xiaomi",
]

const commonTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"]

/**
 * What a server's models take for an image.
 *
 * @param {string} server
 */
export function imagesOf(server) {
  return {
    // Google's refuse GIF.
    media_types: server === "google" ? commonTypes.slice(0, 3) : commonTypes,
    longest_side_pixels: 2_000,
    // 4.5 MiB in base64: Anthropic, the strictest, takes 5.
    limit_bytes: 3_538_944,
  }
}
