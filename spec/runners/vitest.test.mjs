import { test } from 'vitest';
import suite from './suite.cjs';

suite(test);
