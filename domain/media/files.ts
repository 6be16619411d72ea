/** Sizes in which every image is served, as the largest width and height in pixels (contract, tag Image). */
export const SIZES = {
  thumbnail: [80, 52],
  small: [300, 300],
  medium: [600, 600],
  large: [800, 800],
  'x-large': [2000, 2000],
} as const

export type Size = keyof typeof SIZES

const NAMES: readonly string[] = Object.keys(SIZES)

/** Returns whether a text names a size. */
export const isSize = (name: string): name is Size => NAMES.includes(name)

/** Number of parts of a blob reserved for each file of an image: the original, then the sizes. */
const PARTS_PER_FILE = 8

/** Returns the name of the blob with all files of an image. */
export const blobOf = (image: number): string => `image-${image}`

/** Returns the part of the blob with a file in a size; without a size, the part with the original. */
export const partOf = (file: number, size?: Size): number =>
  file * PARTS_PER_FILE + (size ? NAMES.indexOf(size) + 1 : 0)

/** Returns all parts of a file. */
export const partsOf = (file: number): readonly number[] =>
  Array.from({ length: NAMES.length + 1 }, (_, index) => partOf(file) + index)

/** Prefix of the paths of all images. */
export const IMAGES = '/images/'

/** Number of random characters in the address of an image. The address is all that a reader needs, so it must not be guessed. */
export const KEY_LENGTH = 24

/** What the path of an image names. */
export interface ImageAddress {
  readonly id: number
  readonly key: string
  /** As it was sent; absent: as it was uploaded. */
  readonly size: string | undefined
}

const ADDRESS = new RegExp(`^${IMAGES}(\\d{1,16})/([A-Za-z0-9]{${KEY_LENGTH}})(?:/([a-z-]{1,20}))?$`)

/** Returns what a path names, if it is the address of an image. */
export const imageAt = (path: string): ImageAddress | undefined => {
  const [, id, key, size] = ADDRESS.exec(path) ?? []
  return id === undefined || key === undefined ? undefined : { id: Number(id), key, size }
}
