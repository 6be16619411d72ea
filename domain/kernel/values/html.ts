const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const entityOf = (character: string): string => ENTITIES[character] ?? character

/** Escapes a text for HTML, as content of an element or as a quoted value. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, entityOf)

/** Escapes what is not yet an entity. */
export const escapeOnce = (text: string): string => text.replace(/[<>"']|&(?!(?:[a-zA-Z]+|#\d+);)/g, entityOf)
