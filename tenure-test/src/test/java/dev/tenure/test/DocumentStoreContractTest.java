package dev.tenure.test;

/**
 * That a third party can pass, with a blocking store and no wake-ups.
 */
class DocumentStoreContractTest extends DocumentContract {

    DocumentStoreContractTest() {
        super(DocumentStore::new);
    }
}
