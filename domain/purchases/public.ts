export { ENDPOINT, RECEIVER, SECRETS } from './providers.ts'
export { type ReceivedBy, receive } from './receive.ts'
