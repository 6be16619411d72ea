import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'

const holding = (name: string, children: readonly MarkupElement[]): MarkupElement => ({
  name,
  attributes: new Map(),
  children,
})

const isSection = ({ name }: MarkupElement): boolean => name === 'section' || name === 'saved-section'

/** Returns the elements of a page, all of them in sections: rows and content at the top level get those around them that are missing. */
export const inSections = (elements: readonly MarkupElement[]): readonly MarkupElement[] => {
  const sections: MarkupElement[] = []
  let rows: MarkupElement[] = []
  let content: MarkupElement[] = []
  const endRow = () => {
    if (content.length > 0) rows.push(holding('row', [holding('column', content)]))
    content = []
  }
  const endSection = () => {
    endRow()
    if (rows.length > 0) sections.push(holding('section', rows))
    rows = []
  }
  for (const element of elements) {
    if (isSection(element)) {
      endSection()
      sections.push(element)
    } else if (element.name === 'row') {
      endRow()
      rows.push(element)
    } else content.push(element)
  }
  endSection()
  return sections
}
