/**
 * The body parsers: `json`, `raw`, `text`, `urlencoded`, those of body-parser. §2.10
 */
import bodyParser from 'body-parser';

export const json: typeof bodyParser.json = bodyParser.json;
export const raw: typeof bodyParser.raw = bodyParser.raw;
export const text: typeof bodyParser.text = bodyParser.text;
export const urlencoded: typeof bodyParser.urlencoded = bodyParser.urlencoded;
