export { pathOf, urlOf } from './page/address.ts'
