import { NotAnImage } from '../raster/format.ts'

const BEGINNING = '<!ENTITY'
const TEXT_ENTITY = /<!ENTITY\s+([\w.:-]{1,100})\s+(?:"([^"]*)"|'([^']*)')\s*>/y
const CHARACTER = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi
const PREDEFINED = ['amp', 'lt', 'gt', 'quot', 'apos']
/** Highest number of characters that all references to entities may become. Drawing programs abbreviate namespaces by them. */
const MOST_CHARACTERS = 1_000_000

const refused = (): never => {
  throw new NotAnImage('declares entities that are not plain text')
}

const characterOf = (_whole: string, hex: string | undefined, decimal: string | undefined): string => {
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return point <= 0x10ffff ? String.fromCodePoint(point) : refused()
}

/**
 * Returns the entities that a document type declares. Only such as stand for plain text are taken: one that refers to another could grow
 * without bounds, and one from outside would have to be loaded.
 *
 * @throws {NotAnImage} for any other declaration; the getters, when more text than allowed has been read
 */
export const entitiesIn = (doctype: string): Readonly<Record<string, string>> => {
  const entities: Record<string, string> = {}
  let characters = 0
  for (let at = doctype.indexOf(BEGINNING); at >= 0; at = doctype.indexOf(BEGINNING, at + 1)) {
    TEXT_ENTITY.lastIndex = at
    const [, name, double, single] = TEXT_ENTITY.exec(doctype) ?? refused()
    const text = (double ?? single ?? '').replace(CHARACTER, characterOf)
    if (/[&<%]/.test(text)) refused()
    // The first declaration counts, and what XML declares itself comes before all.
    if (PREDEFINED.includes(name!) || Object.hasOwn(entities, name!)) continue
    Object.defineProperty(entities, name!, {
      configurable: true,
      get() {
        characters += text.length
        return characters > MOST_CHARACTERS ? refused() : text
      },
    })
  }
  return entities
}
