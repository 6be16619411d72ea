export { ENDPOINT, RECEIVER } from './providers.ts'
export { type ReceivedBy, receive } from './receive.ts'
