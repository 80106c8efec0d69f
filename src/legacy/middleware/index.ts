/**
 * The middleware of the 3.x interface, by its 3.x names. §9.3
 */
export {};
