import sharp from 'sharp'

/** Small images that take much memory or time to decode at 2000 × 2000 pixels. The figures were measured without limits. */

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const drawing = (inside: string, side = 2000): Buffer =>
  Buffer.from(`<svg ${NAMESPACES} width="${side}" height="${side}">${inside}</svg>`)
const rect = (attributes: string) => `<rect width="2000" height="2000" ${attributes}/>`
const series = (count: number, piece: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => piece(number)).join('')

/** 5 KB that had taken 950 MB and 50 s of processor time, and were not finished: a result of the size of the drawing for each step of a filter. */
export const hungryFilter = (): Buffer =>
  drawing(
    `<filter id="f" x="0" y="0" width="1" height="1">${series(60, (n) => `<feGaussianBlur stdDeviation="${n}" result="r${n}"/>`)}
    ${series(60, (n) => `<feComposite in="r${n}" in2="r0"/>`)}</filter>${rect('filter="url(#f)"')}`,
  )

/** 1 KB that take 45 s of processor time: noise that is made again and again for every pixel. */
export const slowFilter = (): Buffer =>
  drawing(
    `<filter id="f" x="0" y="0" width="1" height="1">${series(20, () => '<feTurbulence numOctaves="99" baseFrequency=".9"/>')}</filter>
    ${rect('filter="url(#f)"')}`,
  )

/** 3 KB that were not finished after 55 s of processor time, without a filter: millions of layers, by use of use. */
export const slowDrawing = (): Buffer =>
  drawing(
    `<defs><g id="u0"><rect width="9" height="9"/></g>${series(7, (n) => `<g id="u${n + 1}">${`<use opacity=".5" xlink:href="#u${n}"/>`.repeat(10)}</g>`)}</defs>
    <use xlink:href="#u7"/>`,
  )

/** 5 KB that take 1.1 GB, without a filter, and little in a small size: masks of masks. */
export const hungryDrawing = (masks = 60): Buffer =>
  drawing(
    `<defs>${series(masks, (n) => `<mask id="m${n}">${rect(`fill="#fff" mask="url(#m${n + 1})"`)}</mask>`)}</defs>${rect('mask="url(#m0)"')}`,
  )

/** 750 KB that take 450 MB: a progressive JPEG, which decoders keep as a whole. With 10,000 pixels a side: 1.2 MB that take 670 MB. */
export const hungryJpeg = (side = 8000): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#14c' }, limitInputPixels: false })
    .jpeg({ progressive: true, quality: 1, chromaSubsampling: '4:4:4' })
    .toBuffer()
