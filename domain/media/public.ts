export { addCopiedImage, type CopiedImage, copyImage } from './copied.ts'
export { asset, download } from './download.ts'
export { IMAGES, imageAt } from './files.ts'
export { imageUrl } from './image-url.ts'
