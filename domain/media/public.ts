export { IMAGES } from './files.ts'
