import { remoteAddress } from '../../../domain/pages/markup/pictures.ts'
import { type MarkupElement, someElement } from '../../../domain/pages/markup/tree.ts'
import { Fonts } from './fonts.ts'
import type { FormPlan } from './form-plan.ts'
import type { OwnDocument } from './own-document.ts'

/** Hosts of others that pages may load from, by kind. */
export type ThirdParty = 'fonts' | 'images' | 'videos'

/** Settings of the service that all pages are rendered with. */
export interface RenderSettings {
  /** Address of the SDK's host; without it pages have no SDK. */
  readonly sdkUrl?: string | undefined
  readonly thirdParty: ReadonlySet<ThirdParty>
}

/** A price that can be bought. */
export interface Option {
  /** Public ids of variant and price, as the SDK takes them. */
  readonly value: string
  readonly name: string
  readonly price: string
}

export interface ShownImage {
  readonly src: string
  readonly alt: string
}

/** Product on the step of a page. */
export interface ShownProduct {
  readonly name: string
  readonly description: string
  readonly images: readonly ShownImage[]
  readonly options: readonly Option[]
  readonly preheadline: string | null
}

/** Everything that a page shows. */
export interface PageContent {
  readonly title: string
  readonly description: string | null
  readonly url: string | null
  readonly token: string | null
  readonly isIndexed: boolean
  readonly elements: readonly MarkupElement[]
  /** The document that these elements consist of, where their author wrote it as a whole. */
  readonly own: OwnDocument | undefined
  /** Code of authors, in its order: site, funnel, page. */
  readonly headCode: readonly string[]
  readonly footerCode: readonly string[]
  readonly customCss: string
  /** Name of the style of the page's theme. */
  readonly style: string
  readonly products: readonly ShownProduct[]
  readonly bumps: readonly ShownProduct[]
  /** Addresses on the page's own host of pictures that its markup names on others. */
  readonly pictures: ReadonlyMap<string, string>
  /** Origins of others that may show the page in a frame, although it sells. */
  readonly frameAncestors: readonly string[]
  /** Zone of the tz database in which times without a zone are meant. */
  readonly zone: string
  readonly article?: Article
}

/** Post or list of a blog, which stands below the elements of the page that it is shown in. */
export interface Article {
  /** Number of the elements that are those of that page; the others are the body of the post. */
  readonly from: number
  /** HTML before the body, with the main heading, and HTML after it. */
  readonly before: string
  readonly after: string
  /** Further tags of the head. */
  readonly head: string
}

/** HTML around what an element holds, which is rendered between the two. */
export interface Around {
  readonly begin: string
  readonly end: string
  /** What stands around each element in it, where these are no elements of their own. */
  readonly item?: (item: MarkupElement) => Around
}

/** Renders one element: as a whole, or what is around the others in it. So pages are rendered in steps, however much they hold. */
export type Renderer = (element: MarkupElement, page: Rendering) => string | Around

/** State of the rendering of one page. */
export class Rendering {
  readonly content: PageContent
  readonly settings: RenderSettings
  readonly fonts = new Fonts()
  readonly plan: FormPlan
  /** Whether the main heading has been rendered. */
  hasHeading = false
  /** Whether an image has been rendered. The first one is loaded at once, as it is likely to be in sight. */
  hasImage = false
  /** Whether something on the page needs the script of pages. */
  isAnimated = false
  /** Whether an order summary has a place of its own. */
  readonly isSummedUp: boolean
  #ids = 0

  constructor(content: PageContent, settings: RenderSettings, plan: FormPlan) {
    this.content = content
    this.settings = settings
    this.plan = plan
    this.isSummedUp = content.elements.some((one) => someElement(one, ({ name }) => name === 'order-summary'))
  }

  /** Returns the address of a picture; `undefined` for one of another host of which there is no copy. */
  pictureAt(source: string | undefined): string | undefined {
    if (!source || !remoteAddress(source)) return source
    return this.content.pictures.get(source)
  }

  /** Returns an id that no other element of the page has. */
  nextId(): string {
    return `mr-${++this.#ids}`
  }
}
