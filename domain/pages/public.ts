export { pathOf, urlOf } from './page/address.ts'
export { withCopies, withPictures } from './page/pictures.ts'
export { pages } from './page/rules.ts'
