import "../../extension/models/sessions_test.ts";
