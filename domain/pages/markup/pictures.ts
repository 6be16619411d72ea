import { isElement, type MarkupElement } from './tree.ts'

/** Attributes that name a picture, by their elements. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['image', 'src'],
  ['section', 'bgimage'],
])

/** Stands for the host of a page, which paths are relative to. */
const HERE = 'https://page.invalid'

/** Returns the address of a picture on another host; `undefined` for one on the page's own. */
export const remoteAddress = (source: string): URL | undefined => {
  if (!URL.canParse(source, HERE)) return undefined
  const url = new URL(source, HERE)
  return url.origin === HERE ? undefined : url
}

/** Returns the pictures of other hosts in a page, as its markup names them, each once. */
export const remotePictures = (elements: readonly MarkupElement[]): readonly string[] => {
  const found = new Set<string>()
  const look = (element: MarkupElement): void => {
    const source = element.attributes.get(SOURCES.get(element.name) ?? '')
    if (source && remoteAddress(source)) found.add(source)
    for (const child of element.children) if (isElement(child)) look(child)
  }
  for (const element of elements) look(element)
  return [...found]
}
