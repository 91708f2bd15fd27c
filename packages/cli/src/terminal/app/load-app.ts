import type { render } from "ink"
import type { createElement } from "react"
import type { App } from "./app.ts"

/** What draws: loaded for a person at a terminal and for nobody else. */
export type AppParts = {
  App: typeof App
  createElement: typeof createElement
  render: typeof render
}

/**
 * Loads Ink and React as they are for production: without it their checks for developers would double
 * the start. The variable is given back, for commands must not see it.
 */
export async function loadApp(): Promise<AppParts> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = "production"
  try {
    const [{ App }, { createElement }, { render }] = await Promise.all([
      import("./app.ts"),
      import("react"),
      import("ink"),
    ])
    return { App, createElement, render }
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
