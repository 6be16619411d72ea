/** Contacts whom one text mails for being mentioned, whatever is edited later. */
export const MOST_MENTIONED = 25
