"""One extractor a question type; the module has the id of its type. No extractor imports another one."""
