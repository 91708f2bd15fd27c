import type { CatalogueFile } from "./file.ts"

/** Whose models there are data of. */
export type ServerName =
  | "anthropic"
  | "baseten"
  | "cerebras"
  | "deepseek"
  | "fireworks"
  | "google"
  | "groq"
  | "huggingface"
  | "meta"
  | "minimax"
  | "mistral"
  | "moonshotai"
  | "nvidia"
  | "openai"
  | "openrouter"
  | "together"
  | "vercel-ai-gateway"
  | "xai"
  | "xiaomi"

/** Loaded one by one: nobody pays for another server's. */
const files: Record<ServerName, () => Promise<{ default: CatalogueFile }>> = {
  anthropic: () => import("./data/anthropic.json", { with: { type: "json" } }),
  baseten: () => import("./data/baseten.json", { with: { type: "json" } }),
  cerebras: () => import("./data/cerebras.json", { with: { type: "json" } }),
  deepseek: () => import("./data/deepseek.json", { with: { type: "json" } }),
  fireworks: () => import("./data/fireworks.json", { with: { type: "json" } }),
  google: () => import("./data/google.json", { with: { type: "json" } }),
  groq: () => import("./data/groq.json", { with: { type: "json" } }),
  huggingface: () => import("./data/huggingface.json", { with: { type: "json" } }),
  meta: () => import("./data/meta.json", { with: { type: "json" } }),
  minimax: () => import("./data/minimax.json", { with: { type: "json" } }),
  mistral: () => import("./data/mistral.json", { with: { type: "json" } }),
  moonshotai: () => import("./data/moonshotai.json", { with: { type: "json" } }),
  nvidia: () => import("./data/nvidia.json", { with: { type: "json" } }),
  openai: () => import("./data/openai.json", { with: { type: "json" } }),
  openrouter: () => import("./data/openrouter.json", { with: { type: "json" } }),
  together: () => import("./data/together.json", { with: { type: "json" } }),
  "vercel-ai-gateway": () => import("./data/vercel-ai-gateway.json", { with: { type: "json" } }),
  xai: () => import("./data/xai.json", { with: { type: "json" } }),
  xiaomi: () => import("./data/xiaomi.json", { with: { type: "json" } }),
}

const hosts = new Map<string, ServerName>([
  ["ai-gateway.vercel.sh", "vercel-ai-gateway"],
  ["api.anthropic.com", "anthropic"],
  ["api.cerebras.ai", "cerebras"],
  ["api.deepseek.com", "deepseek"],
  ["api.fireworks.ai", "fireworks"],
  ["api.groq.com", "groq"],
  ["api.meta.ai", "meta"],
  ["api.minimax.io", "minimax"],
  ["api.mistral.ai", "mistral"],
  ["api.moonshot.ai", "moonshotai"],
  ["api.openai.com", "openai"],
  ["api.together.ai", "together"],
  ["api.together.xyz", "together"],
  ["api.x.ai", "xai"],
  ["api.xiaomimimo.com", "xiaomi"],
  ["generativelanguage.googleapis.com", "google"],
  ["inference.baseten.co", "baseten"],
  ["integrate.api.nvidia.com", "nvidia"],
  ["openrouter.ai", "openrouter"],
  ["router.huggingface.co", "huggingface"],
])

/** The server that answers at a URL; undefined for one that nobody knows. */
export function serverAt(url: string): ServerName | undefined {
  return hosts.get(new URL(url).host)
}

/** The content of a server's data file. */
export async function dataOf(server: ServerName): Promise<CatalogueFile> {
  const { default: data } = await files[server]()
  return data
}
