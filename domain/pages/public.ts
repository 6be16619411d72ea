export { pathOf, urlOf } from './page/address.ts'
export { pages } from './page/rules.ts'
