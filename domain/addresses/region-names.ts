import { ENGLISH_NAMES } from './english-names.ts'
import { plainName, withoutUmlauts } from './spelling.ts'
import { type Country, countryBy, type Region } from './tables.ts'

/** Longest text that may name a region. */
const LONGEST = 255

/** Words that stand beside the name of a region: `Co. Dublin`, `Fukuoka Prefecture`, `Tokyo-to`, `Canton de Vaud`. */
const BESIDE = new Set(
  `autonomous canton co comunidad county department departamento departement de del der di do emirate estado fu
  governorate greater kanton ken krai kray la land metropolis municipality oblast of okrug prefecture prov province
  provincia provincie provinz region republic respublika sheng state territory the to von`.split(/\s+/),
)

/** Names that neither list has, as `code name|code name`. */
const SYNONYMS: Readonly<Record<string, string>> = {
  MX: 'CMX Mexico City|CMX CDMX|CMX Distrito Federal',
}

const withoutBeside = (plain: string): string =>
  plain
    .split(' ')
    .filter((word) => !BESIDE.has(word))
    .join(' ')

/** Parts by which a listed name is known: `Bolzano, Bozen` by each, `Durham, County` also as `County Durham`, `Puducherry (Pondicherry)` by both. */
const partsOf = (name: string): readonly string[] => {
  const parts = name.split(/[,()]/).filter((part) => part.trim() !== '')
  return [parts.toReversed().join(' '), ...parts]
}

interface RegionIndex {
  readonly codes: ReadonlyMap<string, Region>
  /** By the whole names, of which the first counts. */
  readonly names: ReadonlyMap<string, Region>
  /** By what is left of names without the words beside them, where one region alone has it. */
  readonly cores: ReadonlyMap<string, Region>
}

const entriesOf = (listed = '') =>
  listed.split('|').map((one) => {
    const end = one.indexOf(' ')
    return { code: one.slice(0, end).toLowerCase(), name: one.slice(end + 1) }
  })

const buildIndex = ({ iso2, regions }: Country): RegionIndex => {
  const codes = new Map(regions.toReversed().map((region) => [region.code.toLowerCase(), region]))
  const names = new Map<string, Region>()
  const add = (name: string, region: Region) => {
    const key = plainName(name)
    if (key !== '' && !names.has(key)) names.set(key, region)
  }
  const others = [ENGLISH_NAMES[iso2], SYNONYMS[iso2]].flatMap(entriesOf)
  for (const region of regions) add(region.name, region)
  for (const { code, name } of others) {
    const region = codes.get(code) ?? names.get(plainName(name))
    if (!region) continue
    codes.set(code, region)
    add(name, region)
  }
  for (const region of regions) add(withoutUmlauts(region.name), region)
  return { codes, names, cores: coresOf(regions, names) }
}

const coresOf = (regions: readonly Region[], names: ReadonlyMap<string, Region>): ReadonlyMap<string, Region> => {
  const found = new Map<string, Set<Region>>()
  const add = (name: string, region: Region) => {
    for (const core of [name, withoutBeside(name)])
      if (core !== '') found.set(core, (found.get(core) ?? new Set()).add(region))
  }
  for (const region of regions) for (const part of partsOf(region.name)) add(plainName(part), region)
  for (const [name, region] of names) add(name, region)
  return new Map([...found].filter(([, own]) => own.size === 1).map(([core, [region]]) => [core, region as Region]))
}

/** Indexes of the countries that were asked for. */
const indexes = new Map<string, RegionIndex>()

const indexOf = (country: Country): RegionIndex => {
  const index = indexes.get(country.iso2) ?? buildIndex(country)
  indexes.set(country.iso2, index)
  return index
}

/**
 * Finds a region of a country by its code (`AK`, `US-AK`) or by a name in common use: the local or the English one, with or without accents and
 * words such as `Province` (`Québec`, `Tokyo-to`, `Co. Dublin`). Also finds subdivisions of regions, which are not listed, since addresses use
 * either.
 *
 * @param country two-letter code
 */
export const regionIn = (country: string, value: string): Region | undefined => {
  const found = value.length > LONGEST ? undefined : countryBy(country)
  if (!found) return undefined
  const { codes, names, cores } = indexOf(found)
  const typed = value.normalize('NFKC').trim().toLowerCase()
  const code = typed.startsWith(`${country.toLowerCase()}-`) ? typed.slice(3) : typed
  const name = plainName(value)
  return codes.get(code) ?? names.get(name) ?? cores.get(name) ?? cores.get(withoutBeside(name))
}
