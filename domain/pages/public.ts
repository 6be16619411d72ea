export { urlOf } from './page/address.ts'
export { pages } from './page/rules.ts'
