import { fileKeys } from "../../src/keys/file-store.ts"
import { keyStoreConformance } from "./support/store-conformance.ts"

keyStoreConformance("keys in the file", async home => fileKeys(home))
