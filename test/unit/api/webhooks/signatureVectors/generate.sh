#!/bin/sh
# Creates the signatures and public keys in this folder with the openssl command, which shares no code with the code under
# test. The private key is deleted. After adding a case, run this script again and commit all changed files.
#
#   delivered/<case>.json  `data` as in the body of a delivery
#   signed/<case>.txt      the string to sign, written manually from the specification
#   signatures/<case>.txt  its signature (SHA256withRSA), in base64
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

# Keys that are not RSA signing keys.
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 2>/dev/null | openssl pkey -pubout -out ellipticKey.pem
