export { formOfContacts } from './form/contact-attributes.ts'
export { submissionByNonce } from './form-submission/find.ts'
export { formSubmission, type NextPage } from './form-submission/model.ts'
export {
  admitAttributes,
  contactAttributes,
  type PageForm,
  readPageForm,
  submittedData,
} from './form-submission/page-form.ts'
export { formSubmissions } from './form-submission/rules.ts'
