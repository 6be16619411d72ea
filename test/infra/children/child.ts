import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that runs one of the scripts in this folder and prints its progress in lines. */
export class Child {
  readonly process: ChildProcess
  readonly lines: string[] = []
  readonly #closed: Promise<void>
  #over = false
  #changed = () => {}

  /** @param wrap a command that starts the script's command, such as one that sets limits */
  constructor(script: string, args: readonly string[], wrap: readonly string[] = []) {
    const path = fileURLToPath(new URL(`./${script}.js`, import.meta.url))
    const [command, ...rest] = [...wrap, process.execPath, path, ...args]
    this.process = spawn(command!, rest, { stdio: ['pipe', 'pipe', 'ignore'] })
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      this.lines.push(line)
      this.#changed()
    })
    this.#closed = new Promise((resolve) => {
      this.process.once('close', () => {
        this.#over = true
        this.#changed()
        resolve()
      })
    })
  }

  get pid(): number {
    return this.process.pid!
  }

  /** Waits for the line with this number, counted from 0. */
  async line(number: number): Promise<string> {
    while (this.lines.length <= number) {
      if (this.#over) throw new Error(`the process ended after ${this.lines.length} lines: ${this.lines.at(-1)}`)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
    return this.lines[number]!
  }

  say(line: string): void {
    this.process.stdin!.write(`${line}\n`)
  }

  /** Ends the process by a signal or by closing its input. Resolves when its output has been read. */
  end(signal?: NodeJS.Signals): Promise<void> {
    if (signal) this.process.kill(signal)
    else this.process.stdin!.end()
    return this.#closed
  }
}
