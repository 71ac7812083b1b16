// Holds DSSE envelopes, as Sigstore bundles v0.3 with a public key, against @sigstore/verify.
// Standard input: [{envelope, keyid, pem}], or a whole bundle in the place of the envelope; standard output: for each, null where it verifies, else the error.
import { readFileSync } from "node:fs";
import { createPublicKey } from "node:crypto";

import { bundleFromJSON } from "@sigstore/bundle";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";

const NO_AUTHORITIES = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
const PKIX = { ed25519: "PKIX_ED25519", ec: "PKIX_ECDSA_P256_SHA_256" };
const NONE_NEEDED = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };

function fault({ envelope, bundle: written, keyid, pem }) {
  const key = createPublicKey(pem);
  const publicKey = {
    rawBytes: key.export({ type: "spki", format: "der" }),
    keyDetails: PKIX[key.asymmetricKeyType],
    validFor: { start: new Date(0) },
  };
  try {
    const ofEnvelope = {
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: { publicKey: { hint: keyid }, tlogEntries: [] },
      dsseEnvelope: envelope,
    };
    const bundle = bundleFromJSON(written ?? ofEnvelope);
    const trust = toTrustMaterial(NO_AUTHORITIES, { [keyid]: publicKey });
    new Verifier(trust, NONE_NEEDED).verify(toSignedEntity(bundle));
    return null;
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(fault)));
