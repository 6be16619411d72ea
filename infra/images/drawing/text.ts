import { NotAnImage } from '../raster/format.ts'

const ENCODING = /^<\?xml[^>]{0,200}?\sencoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})["']/

const encodingOf = (content: Buffer): string => {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return ENCODING.exec(content.toString('latin1', 0, 300).trimStart())?.[1] ?? 'utf-8'
}

/** Returns a document as text, without a byte order mark or space before it. @throws {NotAnImage} when it is not in its encoding */
export const textOf = (content: Buffer): string => {
  try {
    return new TextDecoder(encodingOf(content), { fatal: true }).decode(content).trimStart()
  } catch {
    throw new NotAnImage('is not in the encoding that it names, or UTF-8')
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  ...{ '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' },
}

export const escapedText = (text: string): string => text.replace(/[&<>\r]/g, (character) => ESCAPES[character]!)

export const escapedValue = (value: string): string =>
  value.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!)

/** Collects text as bytes, so that a long one does not consist of millions of pieces. */
export class Output {
  readonly #pieces: Buffer[] = []
  #text = ''

  write(text: string): void {
    this.#text += text
    if (this.#text.length > 65_536) this.#flush()
  }

  end(): Buffer {
    this.#flush()
    return Buffer.concat(this.#pieces)
  }

  #flush(): void {
    this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }
}
