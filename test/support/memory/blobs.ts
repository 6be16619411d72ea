import type { Blobs } from '../../../domain/kernel/ports/blobs.ts'

/** Blobs in memory. */
export class MemoryBlobs implements Blobs {
  readonly #parts = new Map<string, Buffer>()

  async write(name: string, part: number, content: Iterable<string | Uint8Array>): Promise<void> {
    this.#parts.set(`${name}/${part}`, Buffer.concat([...content].map((piece) => Buffer.from(piece))))
  }

  async has(name: string, part: number): Promise<boolean> {
    return this.#parts.has(`${name}/${part}`)
  }

  async *read(name: string, part: number): AsyncGenerator<Uint8Array> {
    const found = this.#parts.get(`${name}/${part}`)
    if (!found) throw new Error(`${name} has no part ${part}`)
    yield found
  }

  async remove(name: string, part?: number): Promise<void> {
    if (part !== undefined) return void this.#parts.delete(`${name}/${part}`)
    for (const key of this.#parts.keys()) if (key.startsWith(`${name}/`)) this.#parts.delete(key)
  }
}
