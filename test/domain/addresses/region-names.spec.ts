import { expect } from 'chai'
import { ENGLISH_NAMES } from '../../../domain/addresses/english-names.ts'
import { addressRegion, regionIn } from '../../../domain/addresses/public.ts'
import { countries } from '../../../domain/addresses/tables.ts'
import { englishRegions } from '../../../infra/docs/english-regions.ts'

/** Spellings that people and their browsers use, by country, region by region. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  CA: { QC: ['Québec', 'Quebec', 'QUEBEC', 'Que\u0301bec', 'Province of Québec', 'Province de Québec'] },
  BR: { SP: ['São Paulo', 'Sao Paulo', 'sao paulo', 'Estado de São Paulo'], CE: ['Ceara'] },
  JP: {
    '13': ['Tokyo', 'Tōkyō', 'Tôkyô', 'Tokyo-to', 'Tokyo Metropolis', 'ＴＯＫＹＯ'],
    '40': ['Fukuoka', 'Hukuoka', 'Fukuoka Prefecture', 'Fukuoka-ken'],
    '27': ['Osaka', 'Ōsaka', 'Osaka-fu'],
  },
  DE: {
    BY: ['Bavaria', 'Bayern'],
    BW: ['Baden-Württemberg', 'Baden Wurttemberg', 'Baden-Wuerttemberg', 'Land Baden-Württemberg'],
    NW: ['Nordrhein-Westfalen', 'North Rhine-Westphalia', 'NW'],
  },
  CH: { ZH: ['Zürich', 'Zurich', 'Zuerich', 'Kanton Zürich', 'Canton of Zurich'], GE: ['Geneva', 'Genève', 'Geneve'] },
  IE: { D: ['Dublin', 'Co. Dublin', 'County Dublin', 'Co Dublin'] },
  GB: { LND: ['London', 'City of London', 'Greater London'], DUR: ['County Durham', 'Durham'] },
  US: {
    AA: ['AA', 'Armed Forces Americas'],
    AE: ['AE', 'US-AE', 'Armed Forces Europe'],
    AP: ['ap', 'Armed Forces Pacific'],
    HI: ["Hawai'i", 'Hawaiʻi', 'Hawaii'],
    DC: ['Washington DC', 'Washington, D.C.', 'District of Columbia'],
    WA: ['Washington', 'Washington State', 'State of Washington'],
    NY: ['New York', 'New York State'],
  },
  MX: { CMX: ['Ciudad de México', 'Mexico City', 'CDMX'], MEX: ['Estado de México', 'México', 'Mexico State'] },
  IN: { CG: ['Chhattisgarh', 'CG', 'CT'], UK: ['Uttarakhand', 'UT'], TN: ['Tamil Nadu'] },
  AE: { DU: ['Dubai', 'Emirate of Dubai'], AZ: ['Abu Dhabi'] },
  CN: { GD: ['Guangdong', 'Guangdong Province', 'Guangdong Sheng'] },
  KR: { '11': ['Seoul', 'Seoul-teukbyeolsi'] },
  IT: { BZ: ['Bolzano', 'Bozen', 'South Tyrol'], FI: ['Firenze', 'Florence'] },
  PL: { '10': ['Łódź', 'Lodz', 'Łódzkie', 'Lodzkie'] },
  RU: { MOW: ['Moscow', 'Moskva'], MOS: ['Moscow Province'] },
}

describe('regions of addresses', () => {
  for (const [country, regions] of Object.entries(SPELLINGS))
    it(`are known by common spellings in ${country}`, () => {
      for (const [code, names] of Object.entries(regions))
        for (const name of names) expect([name, addressRegion(country, name)]).to.deep.equal([name, code])
    })

  it('have every code and listed name of their own', () => {
    const wrong = [...countries.values()].flatMap(({ iso2, regions }) =>
      regions.flatMap(({ code, name }) => {
        const first = regions.find((other) => other.name.toLowerCase() === name.toLowerCase())
        const isRight = regionIn(iso2, code)?.code === code && regionIn(iso2, name)?.code === first?.code
        return isRight ? [] : `${iso2}-${code} ${name}`
      }),
    )
    expect(wrong).to.deep.equal([])
  })

  it('stay as they were typed where they are not known', () => {
    for (const name of ['Bavaria', 'Springfield', 'State of', 'Province', '東京', '-', 'x'.repeat(1000)])
      expect(addressRegion('US', name)).to.equal(name)
    expect(addressRegion('VA', 'Rome')).to.equal('Rome')
  })

  it('are not guessed where two have what is left of a name', () => {
    // Madrid is a province and a community, each of which is found by its own name alone.
    expect(addressRegion('ES', 'Madrid')).to.equal('M')
    expect(addressRegion('ES', 'Comunidad de Madrid')).to.equal('MD')
    expect(addressRegion('RU', 'Moscow Oblast')).to.equal('Moscow Oblast')
  })

  it('have the English names of CLDR (node dist/infra/docs/write-regions.js)', () => {
    expect(ENGLISH_NAMES).to.deep.equal(englishRegions())
  })
})
