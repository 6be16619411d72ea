/** Domain that senders share whose mail is kept as files, where the operator has named none. Nothing is ever sent from it. */
export const LOCAL_DOMAIN = 'mail.localhost'
