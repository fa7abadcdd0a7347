// English: forms made from a JSON Schema.
import { catalog } from '../catalog'

export const words = catalog('schema-form', {
  // forms/schema/schema-draft
  nameIsMissing: '{name} is missing.',
  enterANumber: 'Enter a number.',
  enterAWholeNumber: 'Enter a whole number.',
  enterNumbers: 'Enter numbers, one per line.',
  enterJson: 'Enter JSON: text stands in double quotes.',
  chooseOne: 'Choose one of these.',
  // forms/schema/use-schema-form
  enterAJsonObject: 'Enter a JSON object, in braces.',
  // forms/schema/schema-form
  asJson: 'Arguments as JSON',
  editAsJson: 'Edit as JSON',
  editInAForm: 'Edit in a form',
  leftToTheModel: 'The model fills it in',
  optional: 'Optional',
  choose: 'Choose',
  notGiven: 'Not given',
  onePerLine: 'One per line.',
  jsonHint: 'As JSON.',
  byDefault: 'If not given: {value}.',
  yes: 'Yes',
  no: 'No',
})
