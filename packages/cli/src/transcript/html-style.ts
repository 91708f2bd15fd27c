/** The whole look of an exported conversation, light and dark. */
export const styleSheet = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #b35900; --gone: #c0392b; }
@media (prefers-color-scheme: dark) { :root { --good: #57c46d; --bad: #e0a040; --gone: #ff8272; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { overflow-wrap: anywhere; } h2 { border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1em; margin: 0 0 .3em; } time { font-weight: normal; opacity: .7; font-size: .8em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; } dd { margin: 0; overflow-wrap: anywhere; }
section { margin: 1rem 0; padding: .2rem 0 .2rem .8rem; border-left: 3px solid var(--line); }
section.user { border-color: #3b82f6; } section.model { border-color: var(--good); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; } p { white-space: pre-wrap; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: 4px; font-size: 13px; }
.note, summary { opacity: .8; } .good, .added { color: var(--good); } .bad { color: var(--bad); }
.removed { color: var(--gone); } .hunk { opacity: .7; } .head { font-weight: bold; }
img { max-width: 100%; } figure { margin: .5rem 0; } figcaption { font-size: .8em; opacity: .7; }
`
