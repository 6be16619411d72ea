import { html } from '../html/html.ts'
import { forMembers, type Route, type SignedInRequest } from './request.ts'
import { HOME } from './shell.ts'

const show = ({ words }: SignedInRequest) => ({
  title: words.welcome.title,
  within: HOME,
  body: html`<ul class="plain">
<li class="item"><a href="/members/courses">${words.courses}</a></li>
<li class="item"><a href="/members/communities">${words.communities}</a></li>
<li class="item"><a href="/members/orders">${words.orders}</a></li>
<li class="item"><a href="/members/mail">${words.mail}</a></li></ul>`,
})

/** Start page of those who are signed in. */
export const homeRoutes: readonly Route[] = [forMembers(/^\/members$/, { show })]
