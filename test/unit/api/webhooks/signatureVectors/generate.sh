#!/bin/sh
# Makes the signatures and public keys in this folder with the openssl command: an implementation that
# has nothing in common with the code under test. The private key is thrown away; run it again after
# adding a case, and commit everything that it wrote.
#
#   delivered/<case>.json  `data` as it stands in the body of a delivery
#   signed/<case>.txt      the string-to-sign, written by hand from the specification
#   signatures/<case>.txt  its signature (SHA256withRSA), as base64
set -eu
cd "$(dirname "$0")"
key=$(mktemp)
trap 'rm -f "$key"' EXIT

openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$key" 2>/dev/null
openssl pkey -in "$key" -pubout -out publicKey.pem
openssl pkey -in "$key" -pubout -outform DER | openssl base64 -A > publicKey.der.base64
openssl rsa -in "$key" -RSAPublicKey_out -out publicKey.pkcs1.pem 2>/dev/null

mkdir -p signatures
for text in signed/*.txt; do
	openssl dgst -sha256 -sign "$key" "$text" | openssl base64 -A > "signatures/$(basename "$text")"
done

# Keys that are no RSA keys for signing.
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 2>/dev/null | openssl pkey -pubout -out ellipticKey.pem
