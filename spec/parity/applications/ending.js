// Ends before it listens.
process.exit(3);
