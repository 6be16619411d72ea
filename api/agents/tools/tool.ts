import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Access, Level } from '../../../domain/kernel/values/scopes.ts'
import type { Asked } from '../../accounts/agent-questions.ts'
import type { Agent } from '../agent.ts'
import type { Answer } from '../calls/answer.ts'

/** A call of a tool. */
export interface Call {
  readonly agent: Agent
  /** Makes what it writes repeatable. Only calls of writing tools have one. */
  readonly key: string
  /** Tells the agent how far the call is. */
  progress(step: number, of: number): Promise<void>
}

/** A tool as it is declared. */
interface Declared<P extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: P
  /** What its answer says besides what every answer may. */
  readonly says?: TProperties
  /** What is in the data of its answer. Absent: it has none. */
  readonly data?: string
  /** `read`: changes nothing. `write`: is done once, however often it is sent. */
  readonly level: Level
  /** Returns what the call takes, beside what it leaves out where it is missing. */
  needs(input: Static<TObject<P>>, agent: Agent): readonly Access[]
  /** Returns what a person is asked before it is done; `undefined`: nothing. @param isForProgram see calls/question.ts */
  question?(input: Static<TObject<P>>, agent: Agent, isForProgram: boolean): Promise<Asked | undefined>
  run(input: Static<TObject<P>>, call: Call): Promise<Answer>
}

/** A tool that agents can call. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly schema: TObject
  /** Schema of the answer, except for one that is an error. */
  readonly output: TObject
  readonly level: Level
  readonly mayAsk: boolean
  needs(input: JsonObject, agent: Agent): readonly Access[]
  question(input: JsonObject, agent: Agent, isForProgram: boolean): Promise<Asked | undefined>
  run(input: JsonObject, call: Call): Promise<Answer>
}

const READING = {
  continue_at: Type.Optional(Type.String({ description: 'Where an answer that was cut goes on, as it said' })),
}

const WRITING = {
  idempotency_key: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same key is carried out once' }),
  ),
  repeat: Type.Optional(Type.Boolean({ description: 'Do it although the same call was made in the last two minutes' })),
}

const CONFIRMED = {
  confirmation_code: Type.Optional(
    Type.String({ description: 'Code of an earlier answer, once the user has said yes' }),
  ),
}

const text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }))

/** What every answer may say. Every tool lists it, so that only what does not explain itself is described. */
const SAID = {
  status: Type.Optional(Type.Union([Type.Integer(), Type.Literal('running')])),
  about_data: text(),
  cut: text(),
  continue_at: Type.Optional(Type.Array(Type.String(), { description: 'Where data goes on, for the same call' })),
  next_page: text(),
  query: Type.Optional(Type.Object({})),
  handle: text('For result_of_call, where status is running'),
  note: text(),
}

/** What an answer of a tool that writes may say. */
const WROTE = {
  repeated: text('Says that it was done before'),
  done: Type.Optional(Type.Boolean({ description: 'false: it waits for a yes, and nothing was done' })),
  needs_confirmation: text('What the user is asked'),
  confirmation_code: text('For the same call, once the user said yes'),
  confirm_at: text('Address at which the user confirms'),
}

/** Makes a tool of its declaration. Its input was checked against its schema before it is called. */
export const tool = <P extends TProperties>(declared: Declared<P>): Tool => {
  const { name, title, description, input, says, data, level, question } = declared
  const mayAsk = question !== undefined
  const ways = level === 'read' ? READING : { ...WRITING, ...(mayAsk && CONFIRMED) }
  // The input is that of the schema: the server checks it before anything else.
  const typed = (sent: JsonObject) => sent as unknown as Static<TObject<P>>
  return {
    name,
    title,
    description,
    level,
    mayAsk,
    schema: Type.Object({ ...input, ...ways }, { additionalProperties: false }),
    output: Type.Object({
      ...SAID,
      ...(level === 'write' && WROTE),
      ...says,
      ...(data !== undefined && { data: Type.Optional(Type.Unknown({ description: data })) }),
    }),
    needs: (sent, agent) => declared.needs(typed(sent), agent),
    question: async (sent, agent, isForProgram) => question?.(typed(sent), agent, isForProgram),
    run: (sent, call) => declared.run(typed(sent), call),
  }
}
