export { openKey } from './gateway-account/keys.ts'
export { gatewayAccount, PROVIDERS, type Provider } from './gateway-account/model.ts'
export * from './ports.ts'
