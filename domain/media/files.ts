/** The sizes that every image is there in, largest width and height in pixels (contract, tag Image). */
export const SIZES = {
  thumbnail: [80, 52],
  small: [300, 300],
  medium: [600, 600],
  large: [800, 800],
  'x-large': [2000, 2000],
} as const

export type Size = keyof typeof SIZES

const NAMES: readonly string[] = Object.keys(SIZES)

/** Whether it names a size. */
export const isSize = (name: string): name is Size => NAMES.includes(name)

/** Parts that each file of an image has room for: the original, then the sizes. */
const ROOM = 8

/** The blob with all files of an image. */
export const blobOf = (image: number): string => `image-${image}`

/** The part with a file of an image in a size; without one, as it was uploaded. */
export const partOf = (file: number, size?: Size): number => file * ROOM + (size ? NAMES.indexOf(size) + 1 : 0)

/** All parts of a file. */
export const partsOf = (file: number): readonly number[] =>
  Array.from({ length: NAMES.length + 1 }, (_, index) => partOf(file) + index)

/** What the paths of all images begin with. */
export const IMAGES = '/images/'
