export { google } from "./provider.ts"
