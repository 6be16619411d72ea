export { urlOf } from './page/address.ts'
