import { spawn, spawnSync } from 'node:child_process'

/** A command that a document shows, with what the document says it prints. */
export interface Shown {
  readonly command: string
  readonly prints: string
}

/** Whether Bash could run a text as it stands, rather than wait for more of it. */
const isWhole = (text: string): boolean =>
  !/[\\|]$/.test(text) && spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).status === 0

const shownIn = (text: string): Shown => {
  const lines = text.trimEnd().split('\n')
  let count = 1
  while (count < lines.length && !isWhole(lines.slice(0, count).join('\n'))) count++
  return { command: lines.slice(0, count).join('\n'), prints: lines.slice(count).join('\n') }
}

/** Returns the commands in the `console` blocks of a Markdown text, in order. */
export const commandsIn = (markdown: string): readonly Shown[] =>
  [...markdown.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).slice(1).map(shownIn),
  )

/** What differs from run to run: times, random ids, and what is sealed under a random key. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/"public_id":"\w+"/g, '"public_id":"ID"'],
  [/"A[\w-]{15}"/g, '"SEALED"'],
]

const comparable = (text: string): string =>
  VARYING.reduce(
    (all, [pattern, name]) => all.replace(pattern, name),
    text.replaceAll('\r', '').replace(/\n +"/g, '"').trim(),
  )

/** Whether a command printed what a document shows, where `…` stands for anything. */
export const hasPrinted = (shown: string, printed: string): boolean => {
  const parts = comparable(shown)
    .split(/\s*…\s*/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(comparable(printed))
}

/** A shell that keeps its variables and functions from one command to the next. */
export interface Shell {
  /** Runs a command. @returns what it prints, except errors */
  run(command: string): Promise<string>
  end(): void
}

const END = '\u0004'

/** Starts a Bash in a folder. */
export const shell = (cwd: string, env: NodeJS.ProcessEnv): Shell => {
  const { stdin, stdout } = spawn('bash', { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const output = stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  return {
    async run(command) {
      stdin.write(`{ ${command}\n} < /dev/null\nprintf '\\004'\n`)
      let printed = ''
      while (!printed.endsWith(END)) {
        const { value, done } = await output.next()
        if (done) throw new Error('the shell has ended')
        printed += value
      }
      return printed.slice(0, -END.length)
    },
    end: () => void stdin.end(),
  }
}
