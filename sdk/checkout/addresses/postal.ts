const codes = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Countries whose addresses need a postal code. Elsewhere there is none, or it is often not known. */
const POSTAL = codes(
  'AT AU BE BG BR CA CH CN CY CZ DE DK EE ES FI FR GB GR HR HU IL IN IT JP KR LI LT LU LV MC MX MY NL NO PL PR PT RO RS RU SE SG SI SK SM TH TR TW UA US VA ZA',
)

export const needsPostalCode = (country: string): boolean => POSTAL.has(country)

/** What a region is called, where it is not a province. */
const REGIONS: Readonly<Record<string, string>> = {
  AE: 'Emirate',
  AU: 'State',
  BR: 'State',
  CO: 'Department',
  IN: 'State',
  JP: 'Prefecture',
  MX: 'State',
  MY: 'State',
  TW: 'County or city',
  UA: 'Oblast',
  US: 'State',
  VE: 'State',
}

export const regionLabel = (country: string): string => REGIONS[country] ?? (country ? 'Province' : 'State or province')

export const postalLabel = (country: string): string => (country === 'US' ? 'ZIP code' : 'Postal code')
