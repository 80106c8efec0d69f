/** Entry point `nozomi/openapi`: an OpenAPI document from the routes of an application. */
export type { Described, Document, DocumentOptions, Info, Operation, Parameter } from './document';
export { describeRoute, type OperationFields, type ResponseFields } from './fields';
export type { Convert, Direction, JsonSchema } from './schema';
export { type OpenApiOptions, openapi, toOpenApi } from './serve';
