/** What the text of a refusal is about. The patterns are words of real servers, in small letters. */
export type Pattern = readonly [about: About, words: RegExp]

/**
 * `mailbox`: it does not exist, or is closed for good. `domain`: mail to the domain has no way. `later`: it passes by itself. The others are about us:
 * `relay`: our server passes nothing on for us. `login`: it wants a log-in. `listed`: its address is on a list, or refused. `sender`: our sender, or its
 * domain, is refused. `quota`: we send too much. `policy` and `size` are about this one mail.
 */
export type About =
  | 'mailbox'
  | 'domain'
  | 'later'
  | 'relay'
  | 'login'
  | 'listed'
  | 'sender'
  | 'quota'
  | 'policy'
  | 'size'

const SUBJECT = '(?:users?|mailbox(?:es)?|recipients?(?: address)?|e-?mail address|address(?:ee)?|accounts?|rcpt)'
const GONE =
  "(?:not found|unknown|does not exist|do not exist|doesn'?t exist|not exist|no longer (?:exists?|valid|available|active|in use)|is ?n[o']t (?:known|valid|listed|active|in my)|invalid|disabled|deactivated|inactive|suspended|closed|discontinued|has been (?:disabled|deactivated|suspended|closed|removed|deleted))"

/** Says of the sender of a mail what is usually said of its recipient, so it is looked for first. */
const SENDER: readonly Pattern[] = [
  [
    'sender',
    /\bsender (?:verif\w+|verify|callout|call-?back)\b|\bverif\w+ (?:failed|error) for <[^>]*>.*\bsender verify failed|\bverification failed for\b/,
  ],
  [
    'sender',
    /\b(?:sender|from|return(?:-path)?|envelope[- ]from|mail from)(?: e-?mail)?(?: address(?:es)?)?(?: domain)?(?: <[^>]*>| \S+@\S+)?(?: is| was| has been)?:? (?:rejected|refused|denied|not (?:verified|allowed|authorized|permitted|accepted)|blocked|blacklisted|invalid|unknown|does not exist|doesn'?t exist|not found|has null mx|must (?:resolve|exist)|undeliverable)\b/,
  ],
  [
    'sender',
    /\b(?:sender|from)(?:'s)? (?:address|domain|mailbox)\b.*\b(?:not found|not exist|unresolv\w+|null mx|could not be verified|not verified|invalid)\b|\bsender id\b|\bunknown sender\b|\bno such sender\b|\b(?:sending|sender) domain\b/,
  ],
  [
    'sender',
    /\binvalid dns mx\b|\bno (?:mx|dns|a) records?\b.*\b(?:sender|from|domain of)\b|\bdomain of (?:the )?sender\b|\bheader from\b|\bnot (?:allowed|authorized|permitted) to send (?:as|from|mail from)\b|\bnot owned by (?:the )?user\b|\bsendas ?denied\b|\bsend as\b|\bspoof\w*\b/,
  ],
  [
    'sender',
    /\b(?:dmarc|spf|dkim)\b|\bunauthenticated (?:mail|e-?mail|sender)\b|\bauthentication (?:checks?|information|results?)\b|\bmissing authentication\b/,
  ],
]

const LISTED: readonly Pattern[] = [
  [
    'listed',
    /\b(?:r?bl|dnsbl|rbldns|rbls|spamhaus|spamcop|barracudacentral|sorbs|uceprotect|abuseat|invaluement|mailspike|senderscore|ipcheck|pbl|sbl|xbl|zen|cbl)\b/,
  ],
  ['listed', /\bblack ?-?list(?:ed|s)?\b|\bblock ?-?list(?:ed|s)?\b|\bdeny ?list(?:ed)?\b|\bbanned\b|\breputation\b/],
  [
    'listed',
    /\b(?:client|host|ip|ip address|server|connection|sending ip|your (?:ip|host|server|network|isp))(?: address)?(?: \[[^\]]*\]| \S*\d\S*)?(?: is| was| has been)? (?:rejected|blocked|refused|denied|not (?:allowed|permitted|authorized))\b|\bmessages from \S+ were? ?n[o']t sent\b|\bmessages from \S+ weren't sent\b|\bpart of (?:their|your) network is on\b/,
  ],
  [
    'listed',
    /\bip you'?re using\b|\breverse (?:dns|hostname)\b|\bptr\b|\b(?:helo|ehlo)\b|\bfcrdns\b|\bcannot find your (?:reverse )?hostname\b|\bdynamic(?:ally)? (?:assigned )?ip\b/,
  ],
]

const OTHERS_OF_US: readonly Pattern[] = [
  [
    'relay',
    /(?<!smtp )\brelay(?:ing)?\b|\bnot (?:a|an?y?) (?:local|relay) (?:domain|host)\b|\bnot permitted to relay\b|\brcpthosts\b|\bwe do not relay\b|\bopen relay\b/,
  ],
  [
    'login',
    /\bauth(?:entication)? (?:is )?(?:required|needed|failed)\b|\bmust (?:be )?(?:authenticated?|log ?in|issue a starttls)\b|\blog ?in (?:first|required|failed)\b|\bsmtp auth\b|\bsubmission requires\b|\bcredentials\b|\bpop before smtp\b/,
  ],
  [
    'quota',
    /\b(?:rate|sending|message|hourly|daily) ?-?(?:limit|quota)\b|\blimit exceeded\b|\bexceeded (?:the |your )?(?:sending|daily|hourly|maximum|max)\b|\btoo (?:many|much) (?:messages|mails?|e-?mails?|recipients|connections)\b|\bquota of messages\b|\bunusual rate\b/,
  ],
]

/** Passes by itself, although the code may say that it does not. */
const LATER: readonly Pattern[] = [
  [
    'later',
    /\bgr[ea]y ?-?list\w*\b|\btry (?:again )?(?:later|in \d)|\bplease retry\b|\bretry (?:later|in)\b|\btemporar(?:y|ily)\b|\breceiving mail (?:at a rate|too quickly)\b|\bdeferred\b/,
  ],
]

const THIS_MAIL: readonly Pattern[] = [
  [
    'size',
    /\b(?:message|mail|size)\b.*\b(?:too (?:large|big)|exceeds?\b.*\b(?:size|limit|maximum)|size limit)|\bmailbox (?:is )?full\b|\b(?:over|exceeded|exceeds) (?:its |the |his )?(?:storage )?quota\b|\bquota exceeded\b|\bout of storage\b|\binbox is full\b|\bstorage\b/,
  ],
  [
    'policy',
    /\bspam\w*\b|\bunsolicited\b|\bpolic(?:y|ies)\b|\bvirus\b|\bmalware\b|\bphish\w*\b|\bcontent\b|\bsuspicious\b|\bnot rfc\b|\brfc ?\d{3,4}\b|\bblocked\b|\bnot accept(?:ing|ed)?\b|\baccess denied\b|\bprohibit\w*|\brestricted\b|\bnot (?:allowed|permitted|authorized)\b|\bunder attack\b/,
  ],
]

const DOMAIN: readonly Pattern[] = [
  [
    'domain',
    /\b(?:host|domain)(?: name)? (?:or domain(?: name)? )?(?:was )?not found\b|\bname service error\b|\bunrouteable mail domain\b|\bnxdomain\b|\bdomain (?:\S+ )?(?:does not exist|doesn'?t exist|not found|is not known)\b|\bno (?:mx|mail exchanger?|such (?:domain|host))\b|\ball relevant mx records point to\b|\bnull ?mx\b|\bdoes not accept (?:e?-?mail|mail)\b.*\bnullmx\b/,
  ],
]

const MAILBOX: readonly Pattern[] = [
  [
    'mailbox',
    new RegExp(
      `\\b${SUBJECT}(?: address)?(?: <[^>]*>| "[^"]*"| \\[[^\\]]*\\]| \\S+@\\S+|:)?(?: is| was| has| are)?(?: been)?:? ?${GONE}\\b`,
    ),
  ],
  [
    'mailbox',
    /\bno (?:such|known) (?:user|users|mailbox|recipient|address|person|account|virtual user|local user|local mailbox)\b|\bno mailbox (?:here )?(?:by that name|found|for|with)\b|\bno (?:user|account|recipient) (?:by that name|found|with that)\b|\bsorry, no mailbox\b/,
  ],
  [
    'mailbox',
    /\b(?:unknown|invalid|bad|non-?existent|inactive|disabled|undeliverable|unroutable|unrouteable) (?:or illegal alias|local[- ]part|user|users|mailbox|recipient|recipients|address|addressee|account|destination mailbox(?: address)?|rcpt)\b/,
  ],
  [
    'mailbox',
    /\b(?:account|mailbox|user|address|recipient)\b[^.;]{0,60}\b(?:you tried to reach|you are trying to (?:contact|reach))\b[^.;]{0,20}\b(?:does not exist|is disabled|is inactive|doesn'?t exist)|\bthat you tried to reach (?:does not exist|is disabled|is inactive)\b/,
  ],
  [
    'mailbox',
    /\bdoesn'?t have an? \S+ account\b|\bdoes not have an? (?:account|mailbox)\b|\bno longer (?:works|employed) (?:here|at)\b|\bnot (?:a|our) (?:known|valid) (?:user|mailbox|recipient|customer)\b|\bnot listed in (?:domino directory|public name)\b|\bnot our customer\b|\bresolver\.adr\.recip(?:ient)?notfound\b|\brecip(?:ient)?notfound\b|\brecipient not found by smtp address lookup\b|\bwe don'?t handle mail for\b/,
  ],
]

/** Texts of single products that have words of others. The numbers are what Microsoft says of recipients that are not in its directories. */
const KNOWN: readonly Pattern[] = [
  [
    'mailbox',
    /\b(?:user|recipient) unknown in (?:local|virtual|relay|recipient)\b[\w ]* table\b|\brecipient address rejected: access denied\.? ?\[?as\(201806281\)|\bmailbox unavailable \(s2017062302\)/,
  ],
  ['policy', /\bresolver\.rst\.|\baccount or domain may not exist\b/],
]

/** Texts, in the order in which they are looked for: what contradicts that it is about the mailbox comes before that. */
export const TEXTS: readonly Pattern[] = [
  ...KNOWN,
  ...SENDER,
  ...OTHERS_OF_US,
  ...LISTED,
  ...LATER,
  ...DOMAIN,
  ...THIS_MAIL,
  ...MAILBOX,
]
