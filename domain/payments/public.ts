export { openKey } from './gateway-account/keys.ts'
export { gatewayAccount, PROVIDERS, type Provider } from './gateway-account/model.ts'
export { gatewayNotification } from './notification.ts'
export * from './ports.ts'
