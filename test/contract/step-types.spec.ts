import { expect } from 'chai'
import { REFERRING, STEP_TYPE_NAMES, type StepTypeName, stepTypeOf } from '../../domain/workflows/steps/index.ts'
import { textsBelow } from '../support/import-graph.ts'

const FOLDER = 'domain/workflows/steps/'

/** Files outside of the declarations that name types of steps, with what they name them for. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'domain/emails/mailing/publications.ts': 'keys of events, which are the contract’s',
  'domain/workflows/workflow/trigger-keys.ts': 'keys of events, which are the contract’s',
  'domain/webhooks/contract-keys.ts': 'keys of events, which are the contract’s',
  'infra/operator/demo-workflows.ts': 'sends steps as a client does',
}

/** What names splits of funnels, of which two are called like types of steps. */
const FUNNELS = [
  'domain/funnels/',
  'domain/statistics/split-numbers.ts',
  'api/pages/',
  'infra/cli/commands/stats.ts',
] as const
const OF_FUNNELS: readonly StepTypeName[] = ['conditional_split_step', 'split_test_step']

const fileOf = (name: string): string => `${FOLDER}${name.replace(/_step$/, '').replaceAll('_', '-')}.ts`

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const types = STEP_TYPE_NAMES.map(stepTypeOf)
const texts = textsBelow(['domain', 'projections', 'api', 'workers', 'infra', 'sdk'])
const namedIn = new Map(
  [...texts].map(([file, text]) => {
    const words = new Set(withoutComments(text).match(/\w+/g))
    return [file, STEP_TYPE_NAMES.filter((name) => words.has(name))]
  }),
)

describe('a type of step of workflows', () => {
  it('is declared in a file that is called like it', () => {
    for (const name of STEP_TYPE_NAMES) expect(texts.get(fileOf(name)), name).to.include(`stepType('${name}', {`)
  })

  it('is named by nothing but its declaration', () => {
    const ofFunnels = (file: string) => FUNNELS.some((one) => file.startsWith(one))
    const strange = [...namedIn].flatMap(([file, names]) => {
      if (file in EXCEPTIONS) return []
      if (file.startsWith(FOLDER)) return names.length > 1 ? `${file}: ${names}` : []
      const left = ofFunnels(file) ? names.filter((name) => !OF_FUNNELS.includes(name)) : names
      return left.length > 0 ? `${file}: ${left}` : []
    })
    expect(strange).to.deep.equal([])
  })

  it('has no exception that nothing needs', () => {
    expect(Object.keys(EXCEPTIONS).filter((file) => !namedIn.get(file)?.length)).to.deep.equal([])
  })

  it('shares the names of what finds steps only with types that name the same records in the same form', () => {
    const uses = types.flatMap(({ name, refers }) =>
      Object.entries(refers).map(([setting, { to, foundBy }]) => ({ name, setting, to, foundBy })),
    )
    for (const { name, setting, to, foundBy } of uses) {
      for (const one of uses) {
        if (one.setting === setting) expect([one.to, one.foundBy], `${name}.${setting}`).to.deep.equal([to, foundBy])
        if (foundBy !== undefined && one.foundBy === foundBy)
          expect(one.setting, `${name} ${foundBy}`).to.equal(setting)
      }
    }
    for (const { setting, foundBy, isGivenUp, keptBy } of REFERRING)
      if (isGivenUp || keptBy) expect(foundBy, setting).not.to.equal(undefined)
  })

  it('names only settings that it has', () => {
    for (const { name, initial, fields, kinds, needs = [], standsOn, liquid = {}, writeOnly = [], own } of types) {
      const stored = [...needs, ...standsOn.flat(), ...Object.keys(kinds), ...(own ? [own.setting] : [])]
      expect(Object.keys(initial), name).to.include.members(stored)
      expect(Object.keys(fields), name).to.include.members([...Object.keys(liquid), ...writeOnly])
      expect(Object.keys(kinds), name).to.include.members([...standsOn.flat(), ...(own ? [own.setting] : [])])
    }
  })
})
