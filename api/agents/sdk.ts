/** The official SDK. It is loaded with the first request of an agent: most installations never have one. */
export type Sdk = typeof import('@modelcontextprotocol/server')
